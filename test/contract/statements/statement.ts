/** What is stated, the file of a test below the checkout, and the title of that test. */
export type Statement = readonly [says: string, file: string, title: string];
