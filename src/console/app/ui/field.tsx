import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Attributes that connect an input with its label, help and error. */
export interface FieldIds {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

export function Field(props: {
  label: string;
  help?: ComponentChildren;
  error?: string;
  /** The label is read out but not shown. */
  hidden_label?: boolean;
  children: (ids: FieldIds) => ComponentChildren;
}) {
  const { label, help, error, hidden_label = false, children } = props;
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={error === undefined ? 'field' : 'field invalid'}>
      <label for={id} class={hidden_label ? 'for-readers' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
