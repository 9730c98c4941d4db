import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { signIn, textOf } from './session.ts';
import { Button } from './ui/button.tsx';
import { Field } from './ui/field.tsx';

/** The first page. @param failure why the last session could not go on */
export function SignIn({ failure }: { failure?: string }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState(failure);
  const [is_busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Not later: the first key is for the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await signIn(key.trim());
    } catch (reason) {
      setError(textOf(reason));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <h1>Feedloom</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '' && !is_busy) void submit();
        }}
      >
        <Field
          label="API key"
          error={error}
          help={
            <>
              <code>feedloom keys create --account NAME</code> makes one. It stays in this tab.
            </>
          }
        >
          {(ids) => (
            <input
              {...ids}
              ref={field}
              type="password"
              value={key}
              placeholder="fl_…"
              autocomplete="off"
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit" disabled={is_busy || key.trim() === ''}>
          Sign in
        </Button>
      </form>
      <p class="help">
        <a href="docs">Documents</a> · <a href="swagger">API</a>
      </p>
    </main>
  );
}
