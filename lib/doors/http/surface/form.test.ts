import { describe, expect, test } from "vitest";
import { attachmentsBodyLimit } from "./body";
import { formValue, readMultipart } from "./form";

const of = (text: string) => formValue(new URLSearchParams(text));

describe("fields of a form", () => {
  test("brackets nest, digits make lists, empty brackets the next place", () => {
    expect(of("name=News&contact[company]=A+B&contact[city]=Berlin")).toEqual({
      name: "News",
      contact: { company: "A B", city: "Berlin" },
    });
    expect(of("files[0][url]=a&files[0][subdirectory]=x&files[1][url]=b")).toEqual({
      files: [{ url: "a", subdirectory: "x" }, { url: "b" }],
    });
    expect(of("files[0][url]=a&files[][url]=b&files[][url]=c")).toEqual({
      files: [{ url: "a" }, { url: "b" }, { url: "c" }],
    });
    expect(of("tag[]=a&tag[]=b&1=x&0=y")).toEqual({ tag: ["a", "b"], 0: "y", 1: "x" });
  });

  test("a list with a hole is an object, and the last of two counts", () => {
    expect(of("a[1]=x&a[3]=y&b=1&b=2&c=1&c[d]=2&e[d]=2&e=1")).toEqual({
      a: { 1: "x", 3: "y" },
      b: "2",
      c: { d: "2" },
      e: "1",
    });
  });

  test("odd names stay names, and no name reaches a prototype", () => {
    expect(of("a]=1&[b]=2&c[=3&d[e]f=4")).toEqual({
      "a]": "1",
      "[b]": "2",
      "c[": "3",
      "d[e]f": "4",
    });
    const value = of("a[__proto__][admin]=1&constructor[prototype][admin]=1&__proto__[admin]=1");
    expect(({} as { admin?: string }).admin).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("too many and too deep ones are refused", () => {
    expect(() => of("a=1&".repeat(1001))).toThrow("more than 1000");
    expect(() => of(`a${"[b]".repeat(7)}=1`)).toThrow("nested deeper");
  });
});

describe("a multipart form", () => {
  const sent = (form: FormData) => new Request("http://localhost", { method: "POST", body: form });

  test("gives its fields and files", async () => {
    const form = new FormData();
    form.set("subdirectory", "mails");
    form.set("file", new File(["abc"], "a.png", { type: "image/png" }));
    expect(await readMultipart(sent(form), undefined, attachmentsBodyLimit)).toEqual({
      fields: [["subdirectory", "mails"]],
      files: [{ field: "file", filename: "a.png", content: Buffer.from("abc") }],
    });
  });

  test("one that is cut off, or none at all, is the client's fault", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    for (const body of [
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf',
      "nonsense",
    ]) {
      const request = new Request("http://localhost", { method: "POST", headers, body });
      await expect(readMultipart(request, undefined, attachmentsBodyLimit)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    const unbounded = new Request("http://localhost", {
      method: "POST",
      headers: { "content-type": "multipart/form-data" },
      body: "x",
    });
    await expect(readMultipart(unbounded, undefined, attachmentsBodyLimit)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test("one beyond 40 MB is refused while it is read", async () => {
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="big"\r\n\r\n';
    const request = new Request("http://localhost", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: Buffer.concat([Buffer.from(head), Buffer.alloc(41 * 1024 * 1024)]),
    });
    await expect(readMultipart(request, undefined, attachmentsBodyLimit)).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
  });
});
