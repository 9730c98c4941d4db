import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { linkTo } from '../router.ts';

/** What pages are made of. */

/** What is missing and so is not shown. */
type Nothing = undefined | null | false | '';

/** The top of a page: its title, and what can be done there. */
export function Head({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** A part of a page under a heading. @param name what it is called, if that is not its title @param kind its class */
export function Section(props: {
  title: ComponentChildren;
  name?: string;
  kind?: string;
  help?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, name, kind, help, children } = props;
  const id = useId();
  return (
    <section class={kind} aria-label={name} aria-labelledby={name === undefined ? id : undefined}>
      <h2 id={id}>{title}</h2>
      {help && <p class="help">{help}</p>}
      {children}
    </section>
  );
}

/** Attributes of what scrolls: the keyboard scrolls what has the focus. */
export function scrolled(label: string) {
  return { role: 'region', tabIndex: 0, 'aria-label': label } as const;
}

/** Names and values. Those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const known = facts.filter(([, value]) => value || value === 0);
  return (
    <dl class="facts">
      {known.map(([name, value], index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Score {
  text: string;
  href?: string;
  note?: string | Nothing;
  /** From 0 to 1. */
  share: number | null;
  /** The share as people read it. */
  figure: string;
}

/** Shares as bars. @param of what they are about, read out before each name */
export function Scores({ rows, of = '' }: { rows: readonly Score[]; of?: string }) {
  return (
    <ul class="scores">
      {rows.map(({ text, href, note, share, figure }, index) => (
        <li key={`${href ?? text} ${index}`}>
          <span>
            {href === undefined ? text : <a href={href}>{text}</a>}
            {note && <small> {note}</small>}
          </span>
          <meter min={0} max={1} value={share ?? 0} aria-label={of + text} />
          <span class="number">{figure}</span>
        </li>
      ))}
    </ul>
  );
}

interface LineRow {
  path: readonly string[];
  text: string;
  /** Stands before it. */
  badge?: string;
  note: ComponentChildren;
}

/** Links to records, one a line. */
export function LinkLines({ rows }: { rows: readonly LineRow[] }) {
  return (
    <ol class="item-lines">
      {rows.map(({ path, text, badge, note }, index) => (
        <li key={`${path.join('/')} ${index}`}>
          {badge && <span class="badge">{badge}</span>}
          <a href={linkTo(path)}>{text}</a>
          <small>{note}</small>
        </li>
      ))}
    </ol>
  );
}

/** Links to people. */
export function People({ ids, nameOf }: { ids: readonly string[]; nameOf: (id: string) => string }) {
  return (
    <ul class="people">
      {ids.map((id) => (
        <li key={id}>
          <a href={linkTo(['viewers', id])}>{nameOf(id)}</a>
        </li>
      ))}
    </ul>
  );
}
