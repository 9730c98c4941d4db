import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseWritten } from '../../../../../model/values/repeated.ts';
import { textOf } from '../../../session.ts';
import { ErrorText, useFieldIds } from '../../../ui/inputs.tsx';
import { isObject, isSame } from '../feed.ts';
import { type Edited, useForm } from './form.ts';

/** A value as JSON, which is applied as soon as it is valid. @param is_config it is the whole config, an object */
export function JsonInput(props: Pick<Edited, 'value' | 'onChange' | 'path'> & { is_config?: boolean }) {
  const { value, onChange, path, is_config = false } = props;
  const { setUnreadable } = useForm();
  const ids = useFieldIds();
  const error_id = useId();
  const [text, setText] = useState(() => written(value));
  const [error, setError] = useState<string>();
  const applied = useRef(value);
  // Told at once, so that nothing else is saved than what is typed.
  const note = (found: string | undefined): void => {
    setError(found);
    setUnreadable(path, found !== undefined);
  };
  useLayoutEffect(() => {
    // It was discarded or saved.
    if (isSame(value, applied.current)) return;
    applied.current = value;
    setText(written(value));
    note(undefined);
  }, [value]);
  useLayoutEffect(() => () => setUnreadable(path, false), [path]);
  const change = (next: string): void => {
    setText(next);
    try {
      const parsed: unknown = next.trim() === '' && !is_config ? undefined : parseWritten(next);
      if (is_config && !isObject(parsed)) throw new Error('The config is an object: {…}');
      applied.current = parsed;
      note(undefined);
      onChange(parsed);
    } catch (reason) {
      note(textOf(reason));
    }
  };
  const described = [ids['aria-describedby'], error && error_id].filter(Boolean).join(' ');
  return (
    <>
      <textarea
        {...ids}
        aria-describedby={described || undefined}
        class={is_config ? 'json' : undefined}
        rows={is_config ? 28 : 4}
        spellcheck={false}
        placeholder="JSON"
        aria-invalid={error !== undefined || ids['aria-invalid']}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <ErrorText id={error_id} text={error} />
    </>
  );
}

function written(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
