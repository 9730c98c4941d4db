import { PAGES } from './page-list.ts';
import { Dialog } from './ui/dialog.tsx';

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const keys: [keys: string, what: string][] = [
    ['Ctrl K', 'find a page or a feed'],
    ['/', 'search on this page'],
    ['?', 'this list'],
    ...PAGES.map(({ shortcut, title }): [string, string] => [`g ${shortcut}`, title]),
    ['Ctrl Enter', 'save what is being edited'],
    ['Escape', 'close a window'],
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
