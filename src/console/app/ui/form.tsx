import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { FeedloomError } from '../../../../openapi/client/src/index.ts';
import { textOf } from '../session.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { ErrorText } from './inputs.tsx';
import { tellFailure } from './toast.tsx';

/** Forms, confirmations and buttons. Each runs its work once at a time and shows the error if it fails. */

/**
 * Sends a form, once at a time, and keeps what was wrong with it.
 * @param send leaves the form if it succeeds
 * @param first_error what was wrong before
 */
export function useSubmit(send: () => Promise<void>, first_error?: string) {
  const error = useSignal<unknown>(first_error);
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
  /** @param path of a field, such as `/variants/1/percent` */
  const faultAt = (path: string): string | undefined => faults.find((fault) => fault.path === path)?.message;
  const text = error.value === undefined ? undefined : textOf(error.value);
  return {
    ...{ submit, faultAt, is_busy: is_busy.value },
    /** What was wrong, also if it is about fields. */
    text,
    /** What was wrong if it is about no field in particular. */
    error: faults.length > 0 ? undefined : text,
    clear: () => {
      error.value = undefined;
    },
  };
}

/** A form that the page handles, so the browser sends nothing. */
export function Form(props: { class?: string; onSubmit: () => unknown; children: ComponentChildren }) {
  const { onSubmit, ...rest } = props;
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** A window that asks before something is done. @param work leaves the window if it succeeds */
export function Confirm(props: {
  title: string;
  action: string;
  kind?: 'danger' | 'primary';
  disabled?: boolean;
  /** What it asks, as a text. */
  children?: ComponentChildren;
  /** What is to be filled in. */
  fields?: (sending: ReturnType<typeof useSubmit>) => ComponentChildren;
  onClose: () => void;
  work: () => Promise<void>;
}) {
  const { title, action, kind = 'danger', disabled = false, children, fields, onClose, work } = props;
  const sending = useSubmit(work);
  const { submit, is_busy, text } = sending;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form class="stack" onSubmit={submit}>
        <p>{children}</p>
        {fields === undefined ? <ErrorText text={text} /> : fields(sending)}
        <div class="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} type="submit" disabled={is_busy || disabled}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A button whose work takes a while. It waits for the end, and tells if that is a failure. */
export function WorkButton(props: {
  work: () => Promise<void>;
  kind?: 'primary' | 'quiet';
  icon?: IconName;
  /** Instead of the text while it works. */
  busy?: string;
  children: ComponentChildren;
}) {
  const { work, busy, children, ...rest } = props;
  const is_busy = useSignal(false);
  const run = async (): Promise<void> => {
    is_busy.value = true;
    await work().catch(tellFailure);
    is_busy.value = false;
  };
  return (
    <Button {...rest} disabled={is_busy.value} onClick={() => void run()}>
      {is_busy.value && busy !== undefined ? busy : children}
    </Button>
  );
}
