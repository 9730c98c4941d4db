import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goTo } from './router.ts';
import { api, may } from './session.ts';
import { Dialog } from './ui/dialog.tsx';
import { Icon, type IconName } from './ui/icon.tsx';
import { useResource } from './ui/resource.ts';

/** Something that can be found by its name and done. */
export interface Command {
  title: string;
  icon: IconName;
  run: () => void;
}

/** A text field that chooses from the list below it. */
const COMBOBOX = { type: 'text', role: 'combobox', list: undefined, 'aria-expanded': true } as const;

/** Finds pages, feeds and actions by their names. Arrows choose, Enter opens. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const can_read = may('config:write');
  const feeds = useResource(
    can_read ? (signal) => api().call('POST', '/api/feed/configs', { body: {}, signal }) : undefined,
    [],
  );
  const of_feeds = (feeds.data?.data ?? []).map(
    ({ config_id, name }): Command => ({ title: name, icon: 'feeds', run: () => goTo(['feeds', config_id]) }),
  );
  const wanted = typed.trim().toLowerCase();
  const found = [...commands, ...of_feeds].filter(({ title }) => title.toLowerCase().includes(wanted));
  const at = Math.min(chosen, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <input
        {...COMBOBOX}
        ref={field}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${at}` : undefined}
        aria-label="Page, feed or action"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && found.length > 0) {
            event.preventDefault();
            setChosen((at + step + found.length) % found.length);
          } else if (event.key === 'Enter') run(found[at]);
        }}
      />
      <div class="found" id="found" role="listbox" aria-label="Found">
        {found.map((command, index) => (
          <div
            key={`${command.icon} ${command.title} ${index}`}
            id={`found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(command)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') run(command);
            }}
          >
            <Icon name={command.icon} />
            {command.title}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
