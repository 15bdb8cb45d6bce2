/** The fewest emails of the last 180 days that they must have left unread. */
export const sunsetEmails = 3;
