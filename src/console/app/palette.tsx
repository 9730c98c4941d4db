import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goTo } from './router.ts';
import { api, may } from './session.ts';
import { Dialog } from './ui/dialog.tsx';
import { Icon, type IconName } from './ui/icon.tsx';
import { useResource } from './ui/resource.ts';

export interface Command {
  title: string;
  icon: IconName;
  run: () => void;
}

/** A text field that chooses from the list below it. */
const COMBOBOX = { type: 'text', role: 'combobox', list: undefined, 'aria-expanded': true } as const;

/** A command for each feed that opens it. */
function useFeedCommands(): { commands: readonly Command[]; is_loading: boolean } {
  const can_read = may('config:write');
  const { data, is_loading } = useResource(
    can_read ? (signal) => api().call('POST', '/api/feed/configs', { body: {}, signal }) : undefined,
    [],
  );
  const commands = (data?.data ?? []).map(
    ({ config_id, name }): Command => ({ title: name, icon: 'feeds', run: () => goTo(['feeds', config_id]) }),
  );
  return { commands, is_loading: can_read && is_loading };
}

/** Finds pages, feeds and actions by their names. Arrows choose, Enter opens. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const feeds = useFeedCommands();
  const wanted = typed.trim().toLowerCase();
  const found = [...commands, ...feeds.commands].filter(({ title }) => title.toLowerCase().includes(wanted));
  const at = Math.min(chosen, found.length - 1);
  const { is_loading } = feeds;
  // Enter may come before the feeds are there. It opens the first one that matches then.
  const [is_confirmed, setConfirmed] = useState(false);
  const run = (command: Command | undefined): void => {
    setConfirmed(command === undefined && is_loading);
    if (command === undefined) return;
    onClose();
    command.run();
  };
  useEffect(() => {
    if (is_confirmed && !is_loading) run(found[0]);
  }, [is_confirmed, is_loading]);
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
          setConfirmed(false);
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
      {found.length === 0 && !is_loading && (
        <p class="help" role="status">
          No page, feed or action has “{typed.trim()}” in its name. Posts and people have pages of their own.
        </p>
      )}
    </Dialog>
  );
}
