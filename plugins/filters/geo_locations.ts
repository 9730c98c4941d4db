import { defineFilter, nearAny, PlaceList } from 'feedloom/plugin';

/** Only items located near one of the places, by their own location or else their author's. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content from near the given places.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: PlaceList,
  compile: (places) => (places.length === 0 ? () => () => true : nearAny(places)),
});
