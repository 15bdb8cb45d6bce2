/** The window's events for a page that is being opened in place of this one, and for one that is not after all. */
export const navigationEvents = {
  begun: "lettermill:navigation-begun",
  dropped: "lettermill:navigation-dropped",
} as const;
