declare module 'ndef' {
  type NdefRecord = { tnf: number; type: string | number[]; id: number[]; payload: number[] }
  const ndef: {
    TNF_WELL_KNOWN: number
    decodeMessage(bytes: number[]): NdefRecord[]
    uri: { decodePayload(payload: number[]): string }
  }
  export default ndef
}
