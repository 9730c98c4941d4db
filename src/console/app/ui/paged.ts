import { useEffect, useRef, useState } from 'preact/hooks';

/** A part of a list. */
export interface ListPart<T> {
  entries: readonly T[];
  /** Absent: it is the last part. */
  cursor?: string;
  /** Up to which time the list was searched, in seconds. */
  searched_to?: number;
}

interface Loaded<T> extends ListPart<T> {
  error: unknown;
  is_loading: boolean;
}

/** Entries that appear at a time. Parts may have fewer, or none, while more are left. */
const SHOWN = 25;

/** A list that is loaded in parts, from the beginning whenever `deps` change. */
export function usePaged<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPart<T>>,
  deps: readonly unknown[],
) {
  const nothing: Loaded<T> = { entries: [], error: undefined, is_loading: false };
  const [, setTimes] = useState(0);
  const current = useRef(nothing);
  const controller = useRef(new AbortController());
  const update = (loaded: Loaded<T>): void => {
    current.current = loaded;
    setTimes((before) => before + 1);
  };
  const run = async (): Promise<void> => {
    if (current.current.is_loading) return;
    const { signal } = controller.current;
    const wanted = current.current.entries.length + SHOWN;
    update({ ...current.current, error: undefined, is_loading: true });
    try {
      for (let is_loading = true; is_loading; ) {
        const { entries, cursor } = current.current;
        const part = await load(cursor, signal);
        if (signal.aborted) return;
        const all = [...entries, ...part.entries];
        is_loading = part.cursor !== undefined && all.length < wanted;
        update({ ...part, entries: all, error: undefined, is_loading });
      }
    } catch (error) {
      if (!signal.aborted) update({ ...current.current, error, is_loading: false });
    }
  };
  useEffect(() => {
    controller.current = new AbortController();
    current.current = nothing;
    void run();
    return () => controller.current.abort();
  }, deps);
  return { ...current.current, more: () => void run() };
}
