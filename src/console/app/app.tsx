import { useEffect, useState } from 'preact/hooks';
import { resumeSession, session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { Toasts } from './ui/toast.tsx';

export function App() {
  const [resumed, setResumed] = useState<{ failure?: string }>();
  useEffect(() => {
    void resumeSession().then((failure) => setResumed({ failure }));
  }, []);
  if (resumed === undefined) return null;
  return (
    <>
      {session.value === undefined ? <SignIn failure={resumed.failure} /> : <Shell session={session.value} />}
      <Toasts />
    </>
  );
}
