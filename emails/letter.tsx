import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Img,
  Link,
  Preview,
  Section,
  Text,
} from "react-email";
import type { ReactNode } from "react";

/** Colours, fonts and logo of a letter. */
interface Look {
  background: string;
  sheet: string;
  edge: string;
  text: string;
  quiet: string;
  link: string;
  /** Of the sender's name, where there is no logo. */
  name: string;
  button: { background: string; color: string; radius: number };
  font: string;
  headingFont: string;
  logo: { src: string; alt: string; width: number } | null;
}

const ours: Look = {
  background: "#f7f2e7",
  sheet: "#fefcf6",
  edge: "#b8ab97",
  text: "#211b16",
  quiet: "#6d6156",
  link: "#b52f15",
  name: "#c4351a",
  button: { background: "#c4351a", color: "#fffaf4", radius: 3 },
  font: "Helvetica, Arial, sans-serif",
  headingFont: "Georgia, 'Times New Roman', serif",
  logo: null,
};

/** One message with at most one button: the layout of every mail the platform writes itself. */
export function Letter({
  brand = "Lettermill",
  look = ours,
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
  /** Theirs; absent: ours. */
  look?: Look | undefined;
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
  const { font, headingFont, logo } = look;
  return (
    <Html lang={language} dir={dir}>
      <Head>
        <meta name="color-scheme" content="light dark" />
      </Head>
      <Preview>{preview}</Preview>
      <Body style={{ backgroundColor: look.background, margin: 0, padding: "32px 12px" }}>
        <Container
          style={{
            backgroundColor: look.sheet,
            border: `1px solid ${look.edge}`,
            maxWidth: "480px",
            padding: "28px 32px",
          }}
        >
          {logo ? (
            <Img
              src={logo.src}
              alt={logo.alt || brand}
              width={logo.width}
              style={{ maxWidth: "100%", height: "auto" }}
            />
          ) : (
            <Text
              style={{ color: look.name, fontFamily: headingFont, fontSize: "18px", margin: 0 }}
            >
              {brand}
            </Text>
          )}
          <Heading
            as="h1"
            style={{
              color: look.text,
              fontFamily: headingFont,
              fontSize: "26px",
              margin: "20px 0 8px",
            }}
          >
            {title}
          </Heading>
          <Text
            style={{ color: look.text, fontFamily: font, fontSize: "15px", lineHeight: "24px" }}
          >
            {text}
          </Text>
          {action && <Action {...action} look={look} />}
          <Hr style={{ borderColor: look.edge, margin: "20px 0 12px" }} />
          <Text
            style={{ color: look.quiet, fontFamily: font, fontSize: "12px", lineHeight: "18px" }}
          >
            {foot}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

function Action({
  label,
  url,
  hint,
  look,
}: {
  label: string;
  url: string;
  hint: string;
  look: Look;
}) {
  const { background, color, radius } = look.button;
  return (
    <>
      <Section style={{ margin: "20px 0" }}>
        <Button
          href={url}
          style={{
            backgroundColor: background,
            borderRadius: `${radius}px`,
            color,
            fontFamily: look.font,
            fontSize: "15px",
            fontWeight: 600,
            padding: "12px 20px",
          }}
        >
          {label}
        </Button>
      </Section>
      <Text
        style={{ color: look.quiet, fontFamily: look.font, fontSize: "13px", lineHeight: "20px" }}
      >
        {hint}{" "}
        <Link href={url} style={{ color: look.link, wordBreak: "break-all" }}>
          {url}
        </Link>
      </Text>
    </>
  );
}
