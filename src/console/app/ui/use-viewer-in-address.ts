import { useEffect, useState } from 'preact/hooks';
import { place, replaceQuery } from '../router.ts';
import { viewer } from './viewer.tsx';

/** Keeps the viewer in the address as `user`, so that the address shows others the same page. */
export function useViewerInAddress(): void {
  const named = place.value.query.get('user');
  const follow = (): void => {
    if (named !== null) viewer.value = named;
  };
  // Before anything is rendered, so that nothing loads for the viewer of the page before.
  useState(follow);
  useEffect(follow, [named]);
  const chosen = viewer.value;
  useEffect(() => replaceQuery({ user: chosen }), [chosen]);
}
