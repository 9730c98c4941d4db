import { useState } from 'preact/hooks';
import { signIn } from './session.ts';
import { Button } from './ui/button.tsx';
import { Form, useSubmit } from './ui/form.tsx';
import { TextField } from './ui/inputs.tsx';

/** The first page. @param failure why the last session could not go on */
export function SignIn({ failure }: { failure?: string }) {
  const [key, setKey] = useState('');
  const { submit, is_busy, text } = useSubmit(() => signIn(key.trim()), failure);
  const is_empty = key.trim() === '';
  return (
    <main class="sign-in">
      <h1>Feedloom</h1>
      <Form onSubmit={() => !is_empty && submit()}>
        <TextField
          label="API key"
          error={text}
          help={
            <>
              <code>feedloom keys create --account NAME</code> makes one. It stays in this tab.
            </>
          }
          type="password"
          value={key}
          placeholder="fl_…"
          onChange={setKey}
          is_first
        />
        <Button kind="primary" type="submit" disabled={is_busy || is_empty}>
          Sign in
        </Button>
      </Form>
      <p class="help">
        <a href="docs">Documents</a> · <a href="swagger">API</a>
      </p>
    </main>
  );
}
