import { goTo, place } from '../router.ts';
import { tellFailure } from './toast.tsx';

/**
 * Opens the first record that a search finds. It searches again, because Enter may come before the list shows what was
 * typed.
 * @param find the identifier of the first record; undefined: there is none
 */
export async function openFirst(
  page: string,
  find: (search: string) => Promise<string | undefined>,
): Promise<void> {
  const asked_at = place.value;
  const search = asked_at.query.get('q')?.trim() ?? '';
  if (search === '') return;
  try {
    const id = await find(search);
    // Somebody went on typing, or left the page.
    if (id !== undefined && place.value === asked_at) goTo([page, id]);
  } catch (error) {
    tellFailure(error);
  }
}
