/** The name of the product beside its mark. */
export const Brand = ({ size = 26 }: { size?: number }) => (
  <span className="brand" style={{ fontSize: Math.round(size * 0.75) }}>
    <img src="/favicon.svg" alt="" width={size} height={size} />
    Parley
  </span>
);
