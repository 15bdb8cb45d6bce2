import { expect, type Locator, type Page } from "@playwright/test";

/** No page has more stops: whoever needs more presses is in a circle. */
const mostTabs = 200;
const mostArrows = 40;

const hasFocus = (locator: Locator) =>
  locator.evaluateAll((elements) => elements.some((one) => one === document.activeElement));

/** Whether what has the focus shows it: by an outline of its own, of what it covers, or of what stands around it. */
const showsFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return false;
    const isOutlined = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration) =>
      outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    if (isOutlined(getComputedStyle(focused, "::after"))) return true;
    let around: Element | null = focused;
    for (let level = 0; around && level < 4; level++) {
      if (isOutlined(getComputedStyle(around))) return true;
      around = around.parentElement;
    }
    return false;
  });

/** What a key has changed is drawn. */
const drawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      ),
  );

/** Takes the focus a moment after it is there: a key pressed before that would meet something else in it. */
const dialogHasFocus = (locator: Locator) =>
  locator.first().evaluate((element) => {
    const dialog = element.closest("dialog, [role=dialog], [role=alertdialog]");
    return !dialog || dialog.contains(document.activeElement);
  });

/** Presses Tab until the locator, or one of those it finds, has the focus, and sees that it shows. */
export async function tabTo(
  locator: Locator,
  { backwards = false }: { backwards?: boolean } = {},
): Promise<void> {
  const page = locator.page();
  await expect(locator.first()).toBeAttached();
  await expect
    .poll(() => dialogHasFocus(locator), { message: `the dialog of ${locator.toString()} has it` })
    .toBe(true);
  for (let presses = 0; presses <= mostTabs; presses++) {
    if (await hasFocus(locator)) {
      await expect
        .poll(() => showsFocus(page), { message: `${locator.toString()} shows its focus` })
        .toBe(true);
      return;
    }
    await page.keyboard.press(backwards ? "Shift+Tab" : "Tab");
  }
  throw new Error(`${mostTabs} presses of Tab did not reach ${locator.toString()}.`);
}

/** Goes there and presses a key: Enter for buttons and links, Space for what is ticked. */
export async function press(
  locator: Locator,
  { key = "Enter", backwards = false }: { key?: string; backwards?: boolean } = {},
): Promise<void> {
  await tabTo(locator, { backwards });
  await locator.page().keyboard.press(key);
}

/** Goes there and writes, in place of what stands there. */
export async function write(
  locator: Locator,
  text: string,
  { backwards = false }: { backwards?: boolean } = {},
): Promise<void> {
  await tabTo(locator, { backwards });
  const { keyboard } = locator.page();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type(text);
}

/** Writes in the field that a dialog has just opened with. */
export async function writeFirst(field: Locator, text: string): Promise<void> {
  await expect(field).toBeFocused();
  await write(field, text);
}

/** With a list or menu open: goes to an option by the arrow keys and takes it. */
export async function take(option: Locator): Promise<void> {
  const page = option.page();
  await expect(option).toBeVisible();
  // Down first, and back up from the end: not every list goes round.
  for (let presses = 0; presses < 3 * mostArrows; presses++) {
    await drawn(page);
    const isThere = await option.evaluate(
      (element) => element.hasAttribute("data-highlighted") || element === document.activeElement,
    );
    if (isThere) {
      await page.keyboard.press("Enter");
      await expect(option).toBeHidden();
      return;
    }
    await page.keyboard.press(presses < mostArrows ? "ArrowDown" : "ArrowUp");
  }
  throw new Error(`The arrows did not reach ${option.toString()}.`);
}

/** Opens a select, a combobox or a menu, and takes an option. */
export async function choose(opener: Locator, option: Locator): Promise<void> {
  await press(opener);
  await take(option);
}

/** Chooses one of several radio buttons, of which Tab reaches only one. */
export async function pick(group: Locator, radio: Locator): Promise<void> {
  const { keyboard } = group.page();
  await tabTo(group.getByRole("radio"));
  for (let presses = 0; presses < 10; presses++) {
    if (await hasFocus(radio)) {
      // An arrow has chosen it; the first one has only got the focus.
      if (!(await radio.isChecked())) await keyboard.press("Space");
      await expect(radio).toBeChecked();
      return;
    }
    await keyboard.press("ArrowDown");
    await drawn(group.page());
  }
  throw new Error(`The arrows did not reach ${radio.toString()}.`);
}
