import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import { textOf } from '../session.ts';
import { Button } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** Takes back what was done. */
  undo?: () => void;
}

const SHOWN_MS = 8_000;

const toasts = signal<readonly Toast[]>([]);
/** Number of open windows. Whatever is not in the last one is dimmed and cannot be clicked. */
const windows = signal(0);

/** Makes the caller the last window while it is there. @returns its `depth` */
export function useWindow(): number {
  const [depth] = useState(() => windows.peek() + 1);
  useLayoutEffect(() => {
    windows.value++;
    return () => {
      windows.value--;
    };
  }, []);
  return depth;
}

const last_id = signal(0);

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function show(toast: Omit<Toast, 'id'>): void {
  last_id.value++;
  const id = last_id.value;
  // The same again takes the place of the older one, whose Undo may not work any more.
  toasts.value = [...toasts.value.filter(({ text }) => text !== toast.text), { ...toast, id }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Tells that something was done. @param undo takes it back */
export function tell(text: string, undo?: () => void): void {
  show({ text, kind: 'done', undo });
}

export function tellFailure(error: unknown): void {
  show({ text: textOf(error), kind: 'failed' });
}

/** Does something, and tells if it fails. */
export function attempt(work: () => Promise<void>): void {
  work().catch(tellFailure);
}

/** Where messages appear: in the last window, else on the page. Screen readers read them out. */
export function Toasts({ depth = 0 }: { depth?: number }) {
  const shown = depth === windows.value ? toasts.value : [];
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind, undo }) => (
        <div class={`toast ${kind}`} key={id}>
          <span>{text}</span>
          {undo && (
            <Button
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <Button kind="quiet" icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
