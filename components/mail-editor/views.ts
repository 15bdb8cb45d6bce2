import type { Attrs, Node } from "prosemirror-model";
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view";
import { t } from "@/lib/ground/texts/t";
import { fieldWords } from "./block-words";

/** An element with its text and children, put together without HTML. */
function element(
  name: string,
  { className = "", text = "" }: { className?: string; text?: string } = {},
  ...children: Element[]
): HTMLElement {
  const created = document.createElement(name);
  if (className) created.className = className;
  if (text) created.textContent = text;
  created.append(...children);
  return created;
}

const textOf = (attrs: Attrs, name: string) => String(attrs[name] ?? "");

function picture(attrs: Attrs, hint: string): HTMLElement {
  const src = textOf(attrs, "src");
  if (src === "" || src.startsWith("{{")) {
    return element("div", { className: "mail-empty", text: src || hint });
  }
  const image = document.createElement("img");
  image.src = src;
  image.alt = textOf(attrs, "alt");
  image.draggable = false;
  if (attrs["width"]) image.width = Number(attrs["width"]);
  return image;
}

const contents: Record<string, (dom: HTMLElement, attrs: Attrs) => void> = {
  image: (dom, attrs) => {
    dom.style.textAlign = textOf(attrs, "align");
    dom.append(picture(attrs, t("Image: choose one in the panel")));
  },
  divider: (dom) => dom.append(element("hr")),
  spacer: (dom, attrs) => {
    dom.style.height = `${textOf(attrs, "height")}px`;
    dom.append(element("span", { text: `${textOf(attrs, "height")} px` }));
  },
  social: (dom, attrs) => {
    dom.style.textAlign = textOf(attrs, "align");
    const links = attrs["links"] as { network: string; url: string }[];
    dom.append(
      ...links.map(({ network, url }) =>
        element("span", {
          className: url ? "mail-social-link" : "mail-social-link mail-unset",
          text: network,
        }),
      ),
    );
    if (links.length === 0)
      dom.append(element("div", { className: "mail-empty", text: t("Social links") }));
  },
  product: (dom, attrs) => {
    dom.append(
      element("div", { className: "mail-product-picture" }, picture(attrs, t("Image"))),
      element(
        "div",
        { className: "mail-product-words" },
        element("strong", { text: textOf(attrs, "title") }),
        element("span", { text: textOf(attrs, "text") }),
        element("strong", { text: textOf(attrs, "price") }),
        element("span", { className: "mail-product-action", text: textOf(attrs, "action") }),
      ),
    );
  },
  html: (dom, attrs) => {
    const html = textOf(attrs, "html").trim();
    dom.append(
      element("span", { className: "mail-html-label", text: "HTML" }),
      element("code", { text: html.slice(0, 300) || t("Write it in the panel") }),
    );
  },
};

/** Blocks without text of their own: redrawn when their attributes change. */
class AtomView implements NodeView {
  readonly dom: HTMLElement;

  constructor(private node: Node) {
    this.dom = element("div", { className: `mail-${node.type.name}` });
    this.draw();
  }

  private draw(): void {
    this.dom.replaceChildren();
    contents[this.node.type.name]?.(this.dom, this.node.attrs);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    if (node.attrs !== this.node.attrs) {
      this.node = node;
      this.draw();
    }
    return true;
  }

  ignoreMutation(): boolean {
    return true;
  }
}

/** A placeholder as a word of its own: what it stands for, and what is written where nothing is known. */
class PlaceholderView implements NodeView {
  readonly dom: HTMLElement;

  constructor(node: Node) {
    const { name, fallback } = node.attrs as { name: string; fallback: string };
    this.dom = element("span", { className: "mail-placeholder", text: fieldWords(name) });
    if (fallback)
      this.dom.append(
        element("span", {
          className: "mail-fallback",
          text: ` ${t("or {fallback}", { fallback })}`,
        }),
      );
    this.dom.title = `{{ ${name} }}`;
  }

  ignoreMutation(): boolean {
    return true;
  }
}

const atomView: NodeViewConstructor = (node: Node, _view: EditorView) => new AtomView(node);

export const nodeViews: Record<string, NodeViewConstructor> = {
  ...Object.fromEntries(Object.keys(contents).map((name) => [name, atomView])),
  placeholder: (node) => new PlaceholderView(node),
};
