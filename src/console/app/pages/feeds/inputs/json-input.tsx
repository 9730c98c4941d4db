import { useLayoutEffect, useState } from 'preact/hooks';
import { ErrorText } from '../../../ui/error-text.tsx';
import { useFieldIds } from '../../../ui/field.tsx';
import { type Edited, useForm } from './form.ts';

/** A value for which there is no better input. */
export function JsonInput({ value, onChange, path }: Edited) {
  const { setUnreadable } = useForm();
  const ids = useFieldIds();
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [error, setError] = useState<string>();
  useLayoutEffect(() => () => setUnreadable(path, false), [path]);
  const change = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setError(undefined);
      setUnreadable(path, false);
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
      setUnreadable(path, true);
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
