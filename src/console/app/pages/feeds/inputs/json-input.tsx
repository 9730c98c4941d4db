import { useState } from 'preact/hooks';
import type { FieldIds } from '../../../ui/field.tsx';
import { ErrorText } from './error-text.tsx';

/** A value for which there is no better input. */
export function JsonInput(props: { ids: FieldIds; value: unknown; onChange: (value: unknown) => void }) {
  const { ids, value, onChange } = props;
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [error, setError] = useState<string>();
  const change = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setError(undefined);
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <>
      <textarea
        {...ids}
        rows={4}
        spellcheck={false}
        placeholder="JSON"
        aria-invalid={error !== undefined || ids['aria-invalid']}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <ErrorText text={error} />
    </>
  );
}
