import { useSignal } from '@preact/signals';
import { FeedloomError } from '../../../../openapi/client/src/index.ts';
import { textOf } from '../session.ts';

/** Sends a form, once at a time, and keeps what was wrong with it. @param send leaves the form if it succeeds */
export function useSubmit(send: () => Promise<void>) {
  const error = useSignal<unknown>(undefined);
  const is_busy = useSignal(false);
  const submit = async (): Promise<void> => {
    if (is_busy.value) return;
    is_busy.value = true;
    error.value = undefined;
    try {
      await send();
    } catch (reason) {
      error.value = reason;
      is_busy.value = false;
    }
  };
  const faults = error.value instanceof FeedloomError ? error.value.errors : [];
  return {
    submit,
    is_busy: is_busy.value,
    /** The fault of a field, such as `/variants/1/percent`. */
    faultAt: (path: string): string | undefined => faults.find((fault) => fault.path === path)?.message,
    /** An error that is about no field in particular. */
    error: faults.length > 0 || error.value === undefined ? undefined : textOf(error.value),
  };
}
