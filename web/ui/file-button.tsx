export const PICTURES = "image/png,image/gif,image/jpeg,image/webp,image/avif";

/** A button that asks for a file. Its name is that of the label. */
export function FileButton(props: {
  label: string;
  accept: string;
  disabled?: boolean;
  choose(file: File): void;
}) {
  return (
    <label class="button file-button">
      {props.label}
      <input
        type="file"
        class="sr"
        accept={props.accept}
        disabled={props.disabled}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file can be chosen again.
          event.currentTarget.value = "";
          if (file) props.choose(file);
        }}
      />
    </label>
  );
}
