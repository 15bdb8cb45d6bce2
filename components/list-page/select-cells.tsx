import { Checkbox } from "@/components/ui/checkbox";
import { Cell, HeaderCell } from "@/components/ui/table";

interface PageSelection {
  label: string;
  wholePage: boolean;
  /** Whether any of the page is chosen. */
  some: boolean;
  onChange: (on: boolean) => void;
}

/** Chooses all of the page, or none of it. */
export function SelectPage({
  wholePage,
  some,
  ...checkbox
}: PageSelection & { labelHidden?: boolean }) {
  return <Checkbox {...checkbox} checked={wholePage} indeterminate={some && !wholePage} />;
}

/** The same as the head of a column of checkboxes. */
export function SelectPageCell(selection: PageSelection) {
  return (
    <HeaderCell className="w-9">
      <SelectPage {...selection} labelHidden />
    </HeaderCell>
  );
}

/** The checkbox of a row. */
export function SelectCell({
  label,
  checked,
  onChange,
}: {
  /** Names the thing: `Select Welcome`. */
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <Cell>
      <div className="relative z-10 w-fit">
        <Checkbox label={label} labelHidden checked={checked} onChange={onChange} />
      </div>
    </Cell>
  );
}
