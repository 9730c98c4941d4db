/** An error beside a group of fields; nothing without one. */
export function ErrorText({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error" role="alert">
      {text}
    </p>
  );
}
