import { useEffect } from 'preact/hooks';
import { place, replaceQuery } from '../router.ts';
import { viewer } from './viewer.tsx';

/** Keeps the viewer in the address as `user`, so that the page can be sent to somebody. */
export function useViewerInAddress(): void {
  const named = place.value.query.get('user');
  // The address wins when a link was followed; afterwards it follows the picker.
  useEffect(() => {
    if (named !== null) viewer.value = named;
  }, [named]);
  const chosen = viewer.value;
  useEffect(() => {
    replaceQuery({ user: chosen });
  }, [chosen]);
}
