/** Mean radius of the Earth, in kilometres. */
export const EARTH_RADIUS_KM = 6371.0088;

/** Radians per degree. */
export const RADIANS = Math.PI / 180;
