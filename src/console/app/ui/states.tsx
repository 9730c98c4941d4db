import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { textOf } from '../session.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { Paged, Resource } from './resource.ts';

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

/** What was wrong, or is to be noted, as a list. */
export function Notes(props: {
  kind: 'bad' | 'warn';
  title?: string;
  children: readonly ComponentChildren[];
}) {
  const { kind, title, children } = props;
  if (children.length === 0) return null;
  return (
    <div class={`note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name="warning" />
      {title && <strong>{title}</strong>}
      <ul>
        {children.map((note, index) => (
          <li key={index}>{note}</li>
        ))}
      </ul>
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
  const { data, error, reload } = resource;
  return (
    <>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && <Loading lines={lines} />}
    </>
  );
}

/** The end of a list that is loaded in parts. @param none what stands there if the list is empty */
export function ListEnd<T, P>({ list, none }: { list: Paged<T, P>; none: ComponentChildren }) {
  const { entries, error, is_loading, has_more, more } = list;
  if (error !== undefined) return <Failure error={error} retry={more} />;
  if (is_loading) return entries.length === 0 ? <Loading /> : <Loading lines={1} />;
  return (
    <>
      {entries.length === 0 && none}
      {has_more && <Button onClick={more}>Show more</Button>}
    </>
  );
}

/** As much of a list as is shown, and a button that shows more of it. */
export function useSteps<T>(all: readonly T[], step: number) {
  const [count, setCount] = useState(step);
  const more = count < all.length && <Button onClick={() => setCount(count + step)}>Show more</Button>;
  return { shown: all.slice(0, count), more };
}
