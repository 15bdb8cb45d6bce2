import { createPrivateKey, type KeyObject } from "node:crypto";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { executePrepared, type Database } from "@/db/client";
import { attachmentBlobs } from "@/db/schema";
import type { UtmParameters } from "@/db/schema/campaigns";
import { coalesce } from "@/lib/ground/coalesce";
import { jsonBytes } from "@/lib/ground/json-bytes";
import { fallbackLanguage } from "@/lib/ground/texts/texts";
import { unseal } from "@/lib/ground/secrets";
import { LinkRegistry } from "@/lib/mail/tracking/link-registry";
import { baseUrlOf, withFilesUnder } from "@/lib/mail/tracking/urls";
import type { DkimKey } from "@/lib/mail/message/dkim";
import type { MimeAttachment } from "@/lib/mail/message/mime-input";
import type { CampaignList } from "./campaign-headers";
import { messagesStatement, type AttachmentRow, type MessageRow } from "./messages-statement";
import { postalAddress } from "./postal-address";

/** A message with the domain it is sent from, loaded once for all its recipients. */
export interface MessageContent {
  id: string;
  projectId: string;
  fromEmail: string;
  fromName: string;
  replyTo: string | null;
  subject: string;
  html: string | null;
  text: string | null;
  liquid: boolean;
  headers: Record<string, string>;
  data: Record<string, unknown> | null;
  /** Sent with a test key. */
  test: boolean;
  /** null: the domain was deleted meanwhile. */
  domain: {
    id: string;
    name: string;
    builtIn: boolean;
    key: DkimKey;
    /** Its return path's MX is ours: mail to addresses there arrives here. */
    readsReturns: boolean;
  } | null;
  /** Where its links lead: APP_URL, or the same under the domain's own host. */
  baseUrl: string;
  /** uuid of the sending connection it goes out through; null: the installation's transport. */
  connectionId: string | null;
  /** uuid; a campaign's mail has a footer and the one-click headers. */
  campaignId: string | null;
  /** The list that the campaign goes to, if any. */
  list: CampaignList | null;
  /** The sender's, line by line: the list's, else the project's. */
  postalAddress: string;
  /** The project's: its name, its own sentence on why people get its campaigns, BCP 47. */
  project: { name: string; mailReason: string; language: string };
  /** Liquid. */
  previewText: string;
  utm: UtmParameters | null;
  /** The message's own setting, else the domain's. */
  trackOpens: boolean;
  trackClicks: boolean;
  /** It came in whole: its one attachment is the message itself, to be passed on as it is. */
  relayed: {
    /** The client's Message-ID; null: each email has one of ours. */
    headerId: string | null;
    /** Who handed it over, as Received names them; null: not known. */
    client: string | null;
  } | null;
  attachments: readonly AttachmentRow[];
  /** Roughly the memory that building one of its emails takes, apart from its attachments. */
  bytes: number;
}

const keptBytes = 32_000_000;
/** Domains change: what was loaded with a message is looked up again after this. */
const keptMilliseconds = 60_000;
const keptKeys = 1_000;

/** Loads messages once, keeps the recent ones, and parses each DKIM key once. */
export class MessageContents {
  /** The registry of these messages' links. */
  readonly links: LinkRegistry;
  readonly #db: Database;
  readonly #load: (id: string) => Promise<MessageContent | null>;
  readonly #messages = new LRUCache<string, Promise<MessageContent | null>>({
    maxSize: keptBytes,
    ttl: keptMilliseconds,
  });
  readonly #keys = new LRUCache<string, KeyObject>({ max: keptKeys });

  constructor(db: Database) {
    this.#db = db;
    this.links = new LinkRegistry(db);
    this.#load = coalesce((ids: string[]) => this.#loadMessages(ids), { largestBatch: 32 });
  }

  /** The message, or null when it was deleted. */
  get(id: string): Promise<MessageContent | null> {
    const kept = this.#messages.get(id);
    if (kept) return kept;
    const loading = this.#load(id);
    // Its size is only known once it is loaded.
    this.#messages.set(id, loading, { size: 1 });
    const stillKept = () => this.#messages.peek(id) === loading;
    loading.then(
      (message) => {
        if (message && stillKept()) {
          this.#messages.set(id, loading, { size: message.bytes, noUpdateTTL: true });
        }
      },
      () => {
        if (stillKept()) this.#messages.delete(id);
      },
    );
    return loading;
  }

  async #loadMessages(ids: string[]): Promise<(MessageContent | null)[]> {
    const rows = await executePrepared<MessageRow>(this.#db, messagesStatement(ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      return row ? this.#toContent(row) : null;
    });
  }

  #toContent(row: MessageRow): MessageContent {
    const baseUrl = baseUrlOf(row.tracking_host);
    return {
      id: row.id,
      projectId: row.project_id,
      fromEmail: row.from_email,
      fromName: row.from_name,
      replyTo: row.reply_to,
      subject: row.subject,
      html: row.html === null ? null : withFilesUnder(baseUrl, row.project_id, row.html),
      text: row.text,
      liquid: row.liquid,
      headers: row.headers ?? {},
      data: row.data,
      test: row.test,
      domain:
        row.domain !== null && row.selector !== null && row.dkim_private_key_sealed !== null
          ? {
              id: row.domain_id,
              name: row.domain,
              readsReturns: row.reads_returns,
              builtIn: row.built_in ?? false,
              key: this.#key(row.domain, row.selector, row.dkim_private_key_sealed),
            }
          : null,
      baseUrl,
      connectionId: row.connection_id,
      campaignId: row.campaign_id,
      list: row.list_id === null ? null : { id: row.list_id, name: row.list_name ?? "" },
      postalAddress:
        postalAddress(row.list_contact ?? {}).join("\n") || (row.postal_address ?? "").trim(),
      project: {
        name: row.project_name ?? "",
        mailReason: row.mail_reason ?? "",
        language: row.language ?? fallbackLanguage,
      },
      previewText: row.preview_text ?? "",
      utm: row.utm,
      trackOpens: row.track_opens ?? false,
      trackClicks: row.track_clicks ?? false,
      relayed: row.relayed ? { headerId: row.header_id, client: row.client } : null,
      attachments: row.attachments ?? [],
      bytes: 3 * ((row.html?.length ?? 0) + (row.text?.length ?? 0)) + jsonBytes(row.data) + 4_000,
    };
  }

  /** Opened when it signs: one that cannot be opened must not stop the mail that is loaded together with its own. */
  #key(domain: string, selector: string, sealed: string): DkimKey {
    const open = () => this.#privateKey(sealed);
    return {
      domain,
      selector,
      get privateKey() {
        return open();
      },
    };
  }

  #privateKey(sealed: string): KeyObject {
    let key = this.#keys.get(sealed);
    if (!key) {
      key = createPrivateKey(unseal(sealed));
      this.#keys.set(sealed, key);
    }
    return key;
  }

  /** The attachments with their content, in order. */
  async attachments(message: MessageContent): Promise<MimeAttachment[]> {
    if (message.attachments.length === 0) return [];
    const rows = await executePrepared<{ sha256: string; content: string }>(
      this.#db,
      sql`
        select encode(${attachmentBlobs.sha256}, 'hex') as sha256,
          encode(${attachmentBlobs.content}, 'base64') as content
        from ${attachmentBlobs}
        where ${attachmentBlobs.projectId} = ${message.projectId} and ${attachmentBlobs.sha256} = any(array(
          select decode(hash, 'hex') from unnest(
            ${sql.param(message.attachments.map(({ sha256 }) => sha256))}::text[]) as hash))`,
    );
    // As bytea it would arrive in hexadecimal: half as long again, and slower to read.
    const byHash = new Map(rows.map((row) => [row.sha256, Buffer.from(row.content, "base64")]));
    return message.attachments.map((attachment) => {
      const bytes = byHash.get(attachment.sha256);
      if (!bytes) throw new Error("An attachment's content is gone.");
      return {
        filename: attachment.filename,
        contentType: attachment.contentType,
        contentId: attachment.contentId,
        content: bytes,
      };
    });
  }
}
