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
import type { ReactNode } from "react";

const serif = "Georgia, 'Times New Roman', serif";
const sans = "Helvetica, Arial, sans-serif";

/** One message with at most one button: the layout of every mail the platform writes itself. */
export function Letter({
  brand = "Lettermill",
  language,
  dir,
  title,
  preview,
  text,
  action,
  foot,
}: {
  /** Who the letter is from. */
  brand?: string;
  /** A BCP 47 tag; `dir` is its writing direction. */
  language: string;
  dir: "ltr" | "rtl";
  title: string;
  preview: string;
  text: ReactNode;
  /** `hint` leads to the address in words, for mail programs that show no button. */
  action?: { label: string; url: string; hint: string };
  foot: ReactNode;
}) {
  return (
    <Html lang={language} dir={dir}>
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
            {brand}
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
          {action && <Action {...action} />}
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

function Action({ label, url, hint }: { label: string; url: string; hint: string }) {
  return (
    <>
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
          {label}
        </Button>
      </Section>
      <Text style={{ color: "#574c42", fontFamily: sans, fontSize: "13px", lineHeight: "20px" }}>
        {hint}{" "}
        <Link href={url} style={{ color: "#b52f15", wordBreak: "break-all" }}>
          {url}
        </Link>
      </Text>
    </>
  );
}
