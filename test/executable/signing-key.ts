/** A key that `minisign -G -W` made. It signs nothing but tests. */
export const SIGNING_KEY = `untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAzxtZQqexjrwVdktGesphjfuiNts+xIW4lSN+gm0ILD+qdTOaTM/0/BiSB3DzMVcZKIHnl8FhD9/cX/HF8iWyBdVNS3fsFoDPAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`;
export const PUBLIC_KEY = 'RWTPG1lCp7GOvBiSB3DzMVcZKIHnl8FhD9/cX/HF8iWyBdVNS3fsFoDP';
