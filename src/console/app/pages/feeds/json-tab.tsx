import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { type Config, isSame, objectOf } from './feed.ts';
import { Card } from './steps.tsx';

/** The config as JSON. What is typed is applied as soon as it is valid. */
export function JsonTab(props: {
  config: Config;
  onChange: (config: Record<string, unknown>) => void;
  /** Told at once, so that nothing else is saved than what is typed. */
  onUnreadable: (is_unreadable: boolean) => void;
}) {
  const { config, onChange, onUnreadable } = props;
  const [text, setText] = useState(() => JSON.stringify(config, null, 2));
  const [error, setError] = useState<string>();
  const applied = useRef(config);
  useLayoutEffect(() => {
    // It was discarded or saved.
    if (isSame(config, applied.current)) return;
    applied.current = config;
    setText(JSON.stringify(config, null, 2));
    setError(undefined);
    onUnreadable(false);
  }, [config]);
  useLayoutEffect(() => () => onUnreadable(false), []);
  const change = (next: string): void => {
    setText(next);
    const { value, error: found } = parsed(next);
    setError(found);
    onUnreadable(found !== undefined);
    if (value === undefined) return;
    applied.current = value;
    onChange(value);
  };
  return (
    <Card title="Config" help="What you type is in the form and in the preview as soon as it is valid JSON.">
      <Field label="Config as JSON" hidden_label error={error}>
        <TextArea kind="json" rows={28} value={text} onChange={change} />
      </Field>
    </Card>
  );
}

function parsed(text: string): { value?: Record<string, unknown>; error?: string } {
  try {
    const value: unknown = JSON.parse(text);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? { value: objectOf(value) } : { error: 'The config is an object: {…}' };
  } catch (reason) {
    return { error: reason instanceof Error ? reason.message : String(reason) };
  }
}
