import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { below, isBelow, useForm } from './form.ts';

/** Fields that few feeds need. */
interface Fold {
  title: string;
  /** Why somebody would open it. */
  why: string;
  names: readonly string[];
}

/** By the name of the object that has the fields. */
const FOLDS: Readonly<Record<string, readonly Fold[]>> = {
  config: [
    {
      title: 'Learning',
      why: 'If the feed is to learn before it is in the learnt order.',
      names: ['learn'],
    },
    {
      title: 'Effort',
      why: 'If pages miss posts that no signal ranks high, or take too long.',
      names: ['candidate_limit'],
    },
    {
      title: 'Plain pages and nodes',
      why: 'If a program requests pages by their number, or several nodes answer.',
      names: ['page_size', 'consistency'],
    },
    { title: 'Other networks', why: 'If the feed is to be found in the Bluesky app.', names: ['bluesky'] },
  ],
  cold_start: [
    {
      title: 'Who is a newcomer',
      why: 'If the limits of the service do not fit this feed.',
      names: ['min_interactions', 'inactive_days'],
    },
  ],
  seen: [
    {
      title: 'Times',
      why: 'If seen posts are to come back after some hours.',
      names: ['after_hours', 'rest_hours'],
    },
  ],
  feed_diversity_config: [
    {
      title: 'Finer diversity',
      why: 'If the same authors come again on later pages, or posts say the same.',
      names: ['repeat_author_decay', 'semantic'],
    },
  ],
};

/** Fields of an object. Those that few feeds need are folded away behind the others. */
export function FoldedFields(props: {
  /** The object that has them. */
  of: string;
  names: readonly string[];
  /** Their values. Undefined: the default. */
  values: Readonly<Record<string, unknown>>;
  /** Of the object. */
  path: string;
  field: (name: string) => ComponentChildren;
}) {
  const { of, names, values, path, field } = props;
  const folds = (FOLDS[of] ?? []).filter((fold) => fold.names.some((name) => names.includes(name)));
  const folded = new Set(folds.flatMap((fold) => fold.names));
  return (
    <>
      {names.filter((name) => !folded.has(name)).map(field)}
      {folds.map(({ title, why, names: inside }) => (
        <Folded
          key={title}
          {...{ title, why }}
          is_set={inside.some((name) => values[name] !== undefined)}
          paths={inside.map((name) => below(path, name))}
        >
          {names.filter((name) => inside.includes(name)).map(field)}
        </Folded>
      ))}
    </>
  );
}

/** Opens by itself when a value in it is set or refused, so that nothing that differs from the default is hidden. */
export function Folded(props: {
  title: string;
  why: string;
  is_set: boolean;
  /** Of the fields in it. */
  paths: readonly string[];
  children: ComponentChildren;
}) {
  const { title, why, is_set, paths, children } = props;
  const ref = useRef<HTMLDetailsElement>(null);
  const { faults } = useForm();
  const open = (is_needed: boolean): void => {
    if (is_needed && ref.current !== null) ref.current.open = true;
  };
  useLayoutEffect(() => open(is_set), [is_set]);
  // Not later: the first field with a fault gets the focus then.
  useLayoutEffect(() => open(faults.some((fault) => paths.some((path) => isBelow(fault, path)))), [faults]);
  return (
    <details class="folded" ref={ref}>
      <summary>
        {title} <small>{why}</small>
      </summary>
      <div class="fields">{children}</div>
    </details>
  );
}
