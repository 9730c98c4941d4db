import { effect, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Switch } from './inputs.tsx';
import { OutLink, webUrl } from './out-link.tsx';

const STORED_AS = 'feedloom.pictures';

/** Whether pictures of other hosts load without a click. */
const loads_pictures = signal(localStorage.getItem(STORED_AS) === 'yes');

effect(() => {
  if (loads_pictures.value) localStorage.setItem(STORED_AS, 'yes');
  else localStorage.removeItem(STORED_AS);
});

export function PicturesSwitch() {
  return (
    <Switch
      text="Load pictures"
      value={loads_pictures.value}
      onChange={(value) => {
        loads_pictures.value = value;
      }}
    />
  );
}

/** A picture of another host. It loads after a click, because its host learns who looks at it. */
export function Picture({ url }: { url: string }) {
  const [is_wanted, setWanted] = useState(false);
  const [has_failed, setFailed] = useState(false);
  useEffect(() => {
    setWanted(false);
    setFailed(false);
  }, [url]);
  const host = webUrl(url)?.host;
  if (host === undefined) return null;
  if (has_failed) {
    return (
      <p class="help">
        The picture could not be loaded: <OutLink href={url}>{host}</OutLink>
      </p>
    );
  }
  if (!is_wanted && !loads_pictures.value) {
    return (
      <Button icon="picture" onClick={() => setWanted(true)}>
        Show the picture from {host}
      </Button>
    );
  }
  return (
    <img
      class="picture"
      src={url}
      alt={`From ${host}`}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
