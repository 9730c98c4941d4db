import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Forms, Schema } from '../schemas.ts';

/** A value that the service refused. `path` is a JSON pointer. */
export interface Fault {
  path: string;
  message: string;
}

/** A saved feed that others can name. */
export interface NamedFeed {
  config_id: string;
  name: string;
  is_active: boolean;
}

interface Form {
  faults: readonly Fault[];
  forms: Forms;
  /** Feeds that this one may refer to. */
  feeds: readonly NamedFeed[];
  /** Says whether the text of a field is no value, so that nothing can be saved. */
  setUnreadable: (path: string, is_unreadable: boolean) => void;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('there is no form around this field');
  return form;
}

/** What is wrong at a place. @param deep also at places below it, which have no field of their own */
export function useFault(path: string, deep = false): string | undefined {
  const { faults } = useForm();
  const here = faults.filter((fault) => fault.path === path || (deep && fault.path.startsWith(`${path}/`)));
  return here.length === 0 ? undefined : here.map(({ message }) => message).join('. ');
}

/** A value that is made by a schema. */
export interface Edited {
  name: string;
  schema: Schema;
  value: unknown;
  /** Undefined: it is not set. */
  onChange: (value: unknown) => void;
  path: string;
}

/** @param key as it is in the object */
export function below(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
