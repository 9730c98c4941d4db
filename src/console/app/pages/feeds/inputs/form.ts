import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SavedFeed } from '../../../ui/feeds.tsx';
import type { Forms, Schema } from '../schemas.ts';

/** A value that the service refused. `path` is a JSON pointer. */
export interface Fault {
  path: string;
  message: string;
}

interface Form {
  faults: readonly Fault[];
  forms: Forms;
  /** Feeds that this one may refer to. */
  feeds: readonly SavedFeed[];
  /** Says whether the text of a field is no value, so that nothing can be saved. */
  setUnreadable: (path: string, is_unreadable: boolean) => void;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('there is no form around this field');
  return form;
}

/** Whether something is wrong at a place, or at places below it. */
export function isBelow(fault: Fault, path: string): boolean {
  return fault.path === path || fault.path.startsWith(`${path}/`);
}

/** What is wrong at some places. */
export function useFault(...paths: readonly string[]): string | undefined {
  const { faults } = useForm();
  return textOf(faults.filter(({ path }) => paths.includes(path)));
}

/** What is wrong at a place, and at places below it that have no field of their own. */
export function useDeepFault(path: string): string | undefined {
  const { faults } = useForm();
  return textOf(faults.filter((fault) => isBelow(fault, path)));
}

function textOf(faults: readonly Fault[]): string | undefined {
  return faults.length === 0 ? undefined : faults.map(({ message }) => message).join('. ');
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
