import { defineFilter, nearAny, PlaceList } from 'feedloom/plugin';

/** Drops items near one of the places. Keeps items without a location. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Drops content from near the given places.',
  depends_on: 'content',
  kind: 'exclusion',
  options: PlaceList,
  compile: (places) => {
    const near = nearAny(places);
    return (request) => {
      const unwanted = near(request);
      return (item) => !unwanted(item);
    };
  },
});
