import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerOf, InputArguments, InputOf, PathOf } from '../../../../openapi/client/src/index.ts';
import { is_online } from '../connection.ts';
import { api } from '../session.ts';

export interface Resource<T> {
  /** The last that was loaded. It stays while newer data loads, and after an error. */
  data: T | undefined;
  error: unknown;
  is_loading: boolean;
  reload: () => void;
}

/**
 * Loads when the component appears and whenever `deps` change. What is outdated by then is aborted. What failed is
 * loaded again when the network is back.
 * @param load undefined: nothing is loaded
 */
export function useResource<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  deps: readonly unknown[],
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    is_loading: true,
  });
  const [times, setTimes] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const loading = latest.current;
    if (loading === undefined) return;
    const controller = new AbortController();
    setState((before) => ({ ...before, is_loading: true }));
    loading(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ data, error: undefined, is_loading: false });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, error, is_loading: false }));
      },
    );
    return () => controller.abort();
  }, [...deps, times]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  const has_failed = state.error !== undefined;
  useEffect(() => {
    if (is_online.value && has_failed) reload();
  }, [is_online.value]);
  return { ...state, reload };
}

/** The answer to a GET request. It is loaded again when the request changes. @param deps load it again, too */
export function useAnswer<P extends PathOf<'GET'>>(
  path: P,
  input: Omit<InputOf<'GET', P>, 'signal'>,
  ...deps: readonly unknown[]
): Resource<AnswerOf<'GET', P>> {
  // The parts of an input are all in its type, but for a path that is not known yet the compiler cannot see it.
  const load = (signal: AbortSignal) =>
    api().call('GET', path, ...([{ ...input, signal }] as InputArguments<InputOf<'GET', P>>));
  return useResource(load, [path, JSON.stringify(input), ...deps]);
}

/** The value after it has not changed for some time. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** A part of a list. */
interface ListPart<T> {
  entries: readonly T[];
  /** Names the next part. Absent or null: it is the last part. */
  cursor?: string | number | null;
}

/** A list that is loaded in parts. */
export interface Paged<T, P> {
  entries: readonly T[];
  /** The part that was loaded last. */
  last: P | undefined;
  error: unknown;
  is_loading: boolean;
  has_more: boolean;
  /** Loads the next part, or the one that failed. */
  more: () => void;
  /** Changes what is loaded. */
  change: (update: (entries: readonly T[]) => readonly T[]) => void;
}

/** Entries that appear at a time. Parts may have fewer, or none, while more are left. */
const SHOWN = 25;

/** Loads a list in parts, from the beginning whenever `deps` change. @param load gets what is loaded so far, too */
export function usePaged<T, P extends ListPart<T>>(
  load: (cursor: P['cursor'], signal: AbortSignal, loaded: readonly T[]) => Promise<P & ListPart<T>>,
  deps: readonly unknown[],
): Paged<T, P> {
  const nothing: Pick<Paged<T, P>, 'entries' | 'last' | 'error' | 'is_loading'> = {
    ...{ entries: [], last: undefined, error: undefined, is_loading: false },
  };
  const [, setTimes] = useState(0);
  const current = useRef(nothing);
  const controller = useRef(new AbortController());
  const update = (changes: Partial<typeof nothing>): void => {
    current.current = { ...current.current, ...changes };
    setTimes((before) => before + 1);
  };
  const run = async (): Promise<void> => {
    if (current.current.is_loading) return;
    const { signal } = controller.current;
    const wanted = current.current.entries.length + SHOWN;
    update({ error: undefined, is_loading: true });
    try {
      for (let is_loading = true; is_loading; ) {
        const part = await load(current.current.last?.cursor, signal, current.current.entries);
        if (signal.aborted) return;
        const entries = [...current.current.entries, ...part.entries];
        is_loading = part.cursor != null && entries.length < wanted;
        update({ last: part, entries, is_loading });
      }
    } catch (error) {
      if (!signal.aborted) update({ error, is_loading: false });
    }
  };
  useEffect(() => {
    controller.current = new AbortController();
    current.current = nothing;
    void run();
    return () => controller.current.abort();
  }, deps);
  const { last, error, is_loading } = current.current;
  return {
    ...current.current,
    is_loading: is_loading || (last === undefined && error === undefined),
    has_more: last?.cursor != null,
    more: () => void run(),
    change: (made) => update({ entries: made(current.current.entries) }),
  };
}
