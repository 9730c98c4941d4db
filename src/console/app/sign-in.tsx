import { useState } from 'preact/hooks';
import { signIn, textOf } from './session.ts';
import { Button } from './ui/button.tsx';
import { Field } from './ui/field.tsx';
import { Form } from './ui/form.tsx';
import { TextInput } from './ui/inputs.tsx';

/** The first page. @param failure why the last session could not go on */
export function SignIn({ failure }: { failure?: string }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState(failure);
  const [is_busy, setBusy] = useState(false);
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
      <Form
        onSubmit={() => {
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
          <TextInput type="password" value={key} placeholder="fl_…" onChange={setKey} is_first />
        </Field>
        <Button kind="primary" type="submit" disabled={is_busy || key.trim() === ''}>
          Sign in
        </Button>
      </Form>
      <p class="help">
        <a href="docs">Documents</a> · <a href="swagger">API</a>
      </p>
    </main>
  );
}
