import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

/** Attributes that connect an input with the label, help and error of the field around it. */
interface FieldIds {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

const IdsContext = createContext<FieldIds>({});

/** For the one input of a field. Empty outside of a field. */
export function useFieldIds(): FieldIds {
  return useContext(IdsContext);
}

export function Field(props: {
  label: string;
  help?: ComponentChildren;
  error?: string;
  /** The label is read out but not shown. */
  hidden_label?: boolean;
  children: ComponentChildren;
}) {
  const { label, help, error, hidden_label = false, children } = props;
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  const ids: FieldIds = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div class={error === undefined ? 'field' : 'field invalid'}>
      <label for={id} class={hidden_label ? 'for-readers' : undefined}>
        {label}
      </label>
      <IdsContext.Provider value={ids}>{children}</IdsContext.Provider>
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
