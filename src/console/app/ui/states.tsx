import type { ComponentChildren } from 'preact';
import { textOf } from '../session.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { Resource } from './resource.ts';

/** Grey lines while something loads. They appear after a moment, so quick answers do not flicker. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="for-readers">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <div class="line" key={line} />
      ))}
    </div>
  );
}

/** Nothing is there yet, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <p>{textOf(error)}</p>
      {retry && (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** What a resource has: its data, an error, or that it loads. Old data stays while new data loads. */
export function Loaded<T>(props: {
  resource: Resource<T>;
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { resource, lines, children } = props;
  if (resource.data !== undefined) {
    return (
      <>
        {resource.error !== undefined && <Failure error={resource.error} retry={resource.reload} />}
        {children(resource.data)}
      </>
    );
  }
  if (resource.error !== undefined) return <Failure error={resource.error} retry={resource.reload} />;
  return <Loading lines={lines} />;
}
