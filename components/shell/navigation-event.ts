/** The window's event for a page that is being opened in place of this one. */
export const navigationEvent = "lettermill:navigation";
