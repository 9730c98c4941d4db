import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { is_online } from '../connection.ts';

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

/** The value after it has not changed for some time. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
