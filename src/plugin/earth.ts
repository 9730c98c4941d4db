/** Mean radius of the Earth, kilometres. */
export const EARTH_RADIUS_KM = 6371.0088;

/** Of a degree. */
export const RADIANS = Math.PI / 180;
