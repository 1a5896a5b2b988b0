/** The JSON Schema of the format, made from the schema that files are checked with. */
export async function configJsonSchema(): Promise<object> {
  const { makeJsonSchema } = await import("./json-schema.ts");
  return makeJsonSchema();
}
