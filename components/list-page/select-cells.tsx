import { Checkbox } from "@/components/ui/checkbox";
import { Cell, HeaderCell } from "@/components/ui/table";

/** The head of the column of checkboxes: chooses all of the page, or none of it. */
export function SelectPageCell({
  label,
  wholePage,
  some,
  onChange,
}: {
  label: string;
  wholePage: boolean;
  /** Whether any of the page is chosen. */
  some: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <HeaderCell className="w-9">
      <Checkbox
        label={label}
        labelHidden
        checked={wholePage}
        indeterminate={some && !wholePage}
        onChange={onChange}
      />
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
