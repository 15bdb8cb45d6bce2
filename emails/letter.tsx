import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  Section,
  Text,
} from "react-email";

const serif = "Georgia, 'Times New Roman', serif";
const sans = "Helvetica, Arial, sans-serif";

/** One message with one button: the form of all mails the platform sends for itself. */
export function Letter({
  title,
  preview,
  text,
  button,
  url,
  foot,
}: {
  title: string;
  preview: string;
  text: string;
  button: string;
  url: string;
  foot: string;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
      </Head>
      <Preview>{preview}</Preview>
      <Body style={{ backgroundColor: "#f7f2e7", margin: 0, padding: "32px 12px" }}>
        <Container
          style={{
            backgroundColor: "#fefcf6",
            border: "1px solid #b8ab97",
            maxWidth: "480px",
            padding: "28px 32px",
          }}
        >
          <Text style={{ color: "#c4351a", fontFamily: serif, fontSize: "18px", margin: 0 }}>
            Lettermill
          </Text>
          <Heading
            as="h1"
            style={{ color: "#211b16", fontFamily: serif, fontSize: "26px", margin: "20px 0 8px" }}
          >
            {title}
          </Heading>
          <Text
            style={{ color: "#211b16", fontFamily: sans, fontSize: "15px", lineHeight: "24px" }}
          >
            {text}
          </Text>
          <Section style={{ margin: "20px 0" }}>
            <Button
              href={url}
              style={{
                backgroundColor: "#c4351a",
                borderRadius: "3px",
                color: "#fffaf4",
                fontFamily: sans,
                fontSize: "15px",
                fontWeight: 600,
                padding: "12px 20px",
              }}
            >
              {button}
            </Button>
          </Section>
          <Text
            style={{ color: "#574c42", fontFamily: sans, fontSize: "13px", lineHeight: "20px" }}
          >
            Or open this address:{" "}
            <Link href={url} style={{ color: "#b52f15", wordBreak: "break-all" }}>
              {url}
            </Link>
          </Text>
          <Hr style={{ borderColor: "#e0d6c5", margin: "20px 0 12px" }} />
          <Text
            style={{ color: "#6d6156", fontFamily: sans, fontSize: "12px", lineHeight: "18px" }}
          >
            {foot}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}
