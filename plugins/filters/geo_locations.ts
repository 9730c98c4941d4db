import { defineFilter, nearAny, PlaceList } from 'feedloom/plugin';

/** Keeps items near one of the places. An item without a location has its author's location. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content from near the given places.',
  depends_on: 'content',
  kind: 'inclusion',
  options: PlaceList,
  compile: (places) => (places.length === 0 ? () => () => true : nearAny(places)),
});
