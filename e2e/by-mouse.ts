import { expect, type Locator } from "@playwright/test";

/**
 * Opens a select or a combobox, and takes an option. Its list is gone afterwards: the next one's options may have the
 * same names, and a list that is just closing would be pressed in place of the one that is opening.
 */
export async function chooseOption(
  control: Locator,
  name: string | RegExp,
  { exact = false }: { exact?: boolean } = {},
): Promise<void> {
  await control.click();
  const option = control.page().getByRole("option", { name, exact });
  await option.click();
  await expect(option).toBeHidden();
}
